"""The frozen record of a review: made once, when it is closed, and served as it was stored."""

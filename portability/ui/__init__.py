"""What all pages share: the bar's links and the template tags."""

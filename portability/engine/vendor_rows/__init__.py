"""Which names belong to which vendor, and what serves in their place: rows in `data/`, looked up by `rows`."""

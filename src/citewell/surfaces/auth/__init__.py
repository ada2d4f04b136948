"""Who asks over HTTP, from where he may ask, and what he is told when he may not."""

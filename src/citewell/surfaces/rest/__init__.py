"""REST: what programs and the page ask over plain HTTP, answered by the same service as everything else."""

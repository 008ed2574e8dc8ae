"""A table's hall on its pages: joining and leaving, calling a judge, confirming the result. Enter at `plugin`."""

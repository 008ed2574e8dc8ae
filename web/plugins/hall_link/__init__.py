"""A table's hall on its pages: joining and leaving, the judge's call, the confirmed result. Enter at `plugin`."""

"""The card table: a page that moves cards, pieces and tokens on a rendered table. Enter at `plugin`."""

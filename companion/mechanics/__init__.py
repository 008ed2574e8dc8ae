"""Pure pieces that games share: turn order, pools of unseen cards, sealed bids, money in tokens."""

"""The author's side: building, editing, proving and packing a lesson."""

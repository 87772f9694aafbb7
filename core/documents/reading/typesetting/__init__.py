"""What the page says by how it sets its lines: paragraphs, lists, headings."""

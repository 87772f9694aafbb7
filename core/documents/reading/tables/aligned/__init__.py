"""Tables that no rule parts and whose heads nothing sets off, told by where their cells stand."""

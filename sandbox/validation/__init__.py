"""What Discord accepts in the bodies it is sent; every mistake of a form is named in one answer."""

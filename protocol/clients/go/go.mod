module blitzweb

go 1.24

module postrider.test/pause
go 1.24.0

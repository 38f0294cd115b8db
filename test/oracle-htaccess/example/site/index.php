the application

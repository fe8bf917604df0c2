"""Addresses of the register room."""

from django.urls import path

from portability.register import moved_views, views

app_name = "register"
urlpatterns = [
    path("register/", views.register, name="register"),
    path("register/export.csv", views.csv, name="csv"),
    path("register/re-evaluate/", views.reassess, name="reassess"),
    path("register/moved/", moved_views.moved, name="moved"),
    path("register/runs/", views.runs, name="runs"),
    path("register/runs/<int:pk>/", views.run, name="run"),
    path("register/runs/<int:pk>/cancel/", views.cancel, name="cancel"),
    path("register/runs/<int:pk>/retry/", views.retry, name="retry"),
]

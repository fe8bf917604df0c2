"""Addresses of the matrices room."""

from django.urls import path

from portability.matrices import views

app_name = "matrices"
urlpatterns = [
    path("matrices/", views.matrices, name="matrices"),
    path("matrices/releases/<int:pk>/", views.release, name="release"),
]

"""Addresses of the room of saved filters."""

from django.urls import path

from portability.saved_filters import views

app_name = "saved_filters"
urlpatterns = [
    path("register/filters/", views.saved_filters, name="all"),
    path("register/filters/menu/", views.menu, name="menu"),
    path("register/filters/new/", views.new, name="new"),
    path("register/filters/<int:pk>/", views.edit, name="edit"),
    path("register/filters/<int:pk>/delete/", views.delete, name="delete"),
]

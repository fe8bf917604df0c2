"""Addresses of the targets room."""

from django.urls import path

from portability.targets import views

app_name = "targets"
urlpatterns = [
    path("targets/", views.targets, name="targets"),
    path("targets/new/", views.new, name="new"),
    path("targets/<slug:name>/", views.target, name="target"),
    path("targets/<slug:name>/edit/", views.edit, name="edit"),
    path("targets/<slug:name>/default/", views.default, name="default"),
    path("targets/<slug:name>/deactivate/", views.deactivate, name="deactivate"),
    path("targets/<slug:name>/activate/", views.activate, name="activate"),
]

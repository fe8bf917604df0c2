"""Addresses of the exports room."""

from django.urls import path

from portability.exports import mapping_views, views

app_name = "exports"
urlpatterns = [
    path("exports/", views.exports, name="exports"),
    path("exports/new/", views.new, name="new"),
    path("exports/register.schema.json", views.schema, name="schema"),
    path("exports/register.<slug:kind>", views.take, name="take"),
    path("exports/<int:pk>/", views.export, name="export"),
    path("exports/<int:pk>/file/", views.file, name="file"),
    path("exports/<int:pk>/cancel/", views.cancel, name="cancel"),
    path("exports/<int:pk>/retry/", views.retry, name="retry"),
    path("exports/<int:pk>/delete/", views.delete, name="delete"),
    path("exports/mappings/", mapping_views.mappings, name="mappings"),
    path("exports/mappings/new/", mapping_views.new, name="new_mapping"),
    path("exports/mappings/<slug:slug>/", mapping_views.mapping, name="mapping"),
    path("exports/mappings/<slug:slug>/edit/", mapping_views.edit, name="edit_mapping"),
    path("exports/mappings/<slug:slug>/delete/", mapping_views.delete, name="delete_mapping"),
]

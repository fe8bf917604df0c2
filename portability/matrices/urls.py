"""Addresses of the matrices room."""

from django.urls import path

from portability.matrices import draft_views, source_views, views

app_name = "matrices"
urlpatterns = [
    path("matrices/", views.matrices, name="matrices"),
    path("matrices/knowledge/", views.what_is_known, name="knowledge"),
    path("matrices/read/", draft_views.read, name="read"),
    path("matrices/add/", source_views.add, name="add"),
    path("matrices/sources/<slug:source>/", views.source, name="source"),
    path("matrices/sources/<slug:source>/edit/", source_views.edit, name="edit"),
    path("matrices/releases/<int:pk>/", views.release, name="release"),
    path("matrices/releases/<int:pk>/cell/", draft_views.cell, name="cell"),
    path("matrices/releases/<int:pk>/remove/", draft_views.remove, name="remove"),
    path("matrices/releases/<int:pk>/publish/", draft_views.publish, name="publish"),
    path("matrices/releases/<int:pk>/discard/", draft_views.discard, name="discard"),
    path("matrices/documents/<int:document>/", views.document, name="document"),
]

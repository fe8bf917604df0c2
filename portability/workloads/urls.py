"""Addresses of the workloads room."""

from django.urls import path

from portability.workloads import editing, views

app_name = "workloads"
urlpatterns = [
    path("workloads/new/", editing.new, name="new"),
    path("workloads/preview/", editing.preview, name="preview"),
    path("workloads/erase/", views.erase, name="erase"),
    path("workloads/<int:pk>/", views.workload, name="workload"),
    path("workloads/<int:pk>/edit/", editing.edit, name="edit"),
    path("workloads/<int:pk>/history/", views.history, name="history"),
    path("workloads/<int:pk>/retire/", views.retire, name="retire"),
    path("workloads/<int:pk>/restore/", views.restore, name="restore"),
    path("workloads/<int:pk>/rename/", views.rename, name="rename"),
    path("workloads/<int:pk>/move/", views.move, name="move"),
    path("workloads/<int:pk>/revisions/<int:number>/files/<int:position>/", views.file, name="file"),
    path("workloads/<int:pk>/revisions/<int:number>/material/<int:position>/", views.source, name="source"),
]

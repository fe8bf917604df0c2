"""Addresses of the reviews room."""

from django.urls import path

from portability.reviews import (
    closed_views,
    comparison_views,
    entry_views,
    move_views,
    together_views,
    views,
    waiver_views,
)

app_name = "reviews"
urlpatterns = [
    path("reviews/", views.reviews, name="reviews"),
    path("reviews/open/", views.open_review, name="open"),
    path("reviews/keys/", views.keys, name="keys"),
    path("reviews/queue/", views.open_queue, name="queue"),
    path("reviews/comparison/", comparison_views.comparison, name="comparison"),
    path("reviews/questions/", entry_views.questions, name="questions"),
    path("reviews/questions/<int:note>/answer/", entry_views.answer_question, name="answer"),
    path("reviews/waivers/", waiver_views.waivers, name="waivers"),
    path("reviews/waivers/<int:waiver>/withdraw/", waiver_views.withdraw, name="withdraw"),
    path("reviews/waive/<int:workload>/<int:target>/<slug:mark>/", waiver_views.waive, name="waive"),
    path("reviews/waive-for-all/<int:target>/<slug:finding>/", waiver_views.waive_for_all, name="waive_for_all"),
    path("reviews/entries/<int:pk>/decide/<slug:kind>/", entry_views.decide, name="decide"),
    path("reviews/entries/<int:pk>/defer/", entry_views.defer, name="defer"),
    path("reviews/entries/<int:pk>/assign/", entry_views.assign, name="assign"),
    path("reviews/entries/<int:pk>/move/", move_views.move, name="move"),
    path("reviews/entries/<int:pk>/note/", entry_views.note, name="note"),
    path("reviews/entries/<int:pk>/question/", entry_views.question, name="question"),
    path("reviews/record.schema.json", closed_views.record_schema, name="schema"),
    path("reviews/<slug:quarter>/", views.review, name="review"),
    path("reviews/<slug:quarter>/discard/", views.discard, name="discard"),
    path("reviews/<slug:quarter>/undo/", views.undo, name="undo"),
    path("reviews/<slug:quarter>/together/", together_views.together, name="together"),
    path("reviews/<slug:quarter>/together/assign/", together_views.assign, name="assign_many"),
    path("reviews/<slug:quarter>/move/", move_views.move_all, name="move_all"),
    path("reviews/<slug:quarter>/sign/", closed_views.sign, name="sign"),
    path("reviews/<slug:closed>/report/", closed_views.whole_report, name="report"),
    path("reviews/<slug:closed>/report/footer.css", closed_views.report_footer, name="footer"),
    path("reviews/<slug:closed>/record.json", closed_views.record_file, name="record"),
    path("reviews/<slug:closed>/register.csv", closed_views.csv_file, name="csv"),
    path("reviews/<slug:closed>/addenda/", closed_views.addendum, name="addendum"),
]

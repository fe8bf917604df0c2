"""The cast of the tests is what the tests think it is."""

from tests.conftest import PASSWORD, Cast


def test_everyone_signs_in_with_the_password(cast: Cast) -> None:
    for person in (cast.viewer, cast.member, cast.administrator):
        assert person.check_password(PASSWORD)
    assert list(cast.member.teams.all()) == [cast.search]

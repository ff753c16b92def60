-- What a person is asked for by, and what goes by its age: none of these questions reads a whole table.
CREATE INDEX match_host ON match (host);
CREATE INDEX match_ended ON match (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX invitation_person ON invitation (person);
CREATE INDEX seat_offer_person ON seat_offer (person);
CREATE INDEX request_person ON request (person, match);
CREATE INDEX request_at ON request (at);

-- Faces before and after a change are compared as sets. Joined one by one, by a plan that was made for the few of an earlier change, those
-- of a person with fifty thousand took more than eight minutes, and the people of a workspace waited.
CREATE OR REPLACE FUNCTION count_faces_changed() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM count_person_faces(c.tenant_id, c.people)
    FROM (SELECT x.tenant_id, array_agg(DISTINCT x.face_person) AS people
          FROM ((SELECT tenant_id, face_id, face_person, face_hidden FROM stale EXCEPT SELECT tenant_id, face_id, face_person, face_hidden FROM fresh)
                UNION ALL
                (SELECT tenant_id, face_id, face_person, face_hidden FROM fresh EXCEPT SELECT tenant_id, face_id, face_person, face_hidden FROM stale)) x
          WHERE x.face_person IS NOT NULL GROUP BY 1) c;
  RETURN NULL;
END
$$;

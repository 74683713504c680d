import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of changes to the people of the library. */
export const PEOPLE_AUDIT = defineAuditTypes({
  'person.consent_changed': 'The consent of a person was changed.',
  'person.merged': 'People were merged into one.',
  'person.split': 'A person was split, or a merge was undone.',
  'person.deleted': 'A person was deleted.',
  'person.erased': 'A person was deleted together with their recognition data.',
  'faces.erased': 'All faces of the workspace were erased.',
});

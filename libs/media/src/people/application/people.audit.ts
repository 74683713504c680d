import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of changes to the people of the library. */
export const PEOPLE_AUDIT = defineAuditTypes({
  'person.consent_changed': 'Whether a person agreed to be shown was changed.',
  'person.merged': 'People were merged into one.',
  'person.split': 'A person was split, or a merge undone.',
  'person.deleted': 'A person was deleted.',
  'person.erased': 'A person was deleted, with all that their faces were recognised by.',
  'faces.erased': 'Every face of the workspace was erased.',
});

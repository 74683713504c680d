import { Text } from '@atrium/platform/database';
import { Accepts } from '@atrium/platform/http';

/** Body of POST /files/{id}/hold. */
@Accepts()
export class HoldFile {
  @Text({ computed: true, min: 1, max: 500, about: 'Why it is held.', example: 'Preservation letter of 3 March' }) reason!: string;
}

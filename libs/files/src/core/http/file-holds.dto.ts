import { Text } from '@atrium/platform/database';
import { Accepts } from '@atrium/platform/http';

/** Body of POST /files/{id}/hold. */
@Accepts()
export class HoldFile {
  @Text({ computed: true, min: 1, max: 500, about: 'Reason for the hold.', example: 'Preservation letter of 3 March' }) reason!: string;
}

import { Text } from '@atrium/platform/database';
import { Accepts, Body } from '@atrium/platform/http';
import { Upload } from '../uploads/domain/upload';

/** Body of POST /uploads/import. */
@Accepts()
export class ImportFile extends Body(Upload, { required: ['file_repo'], optional: ['file_name', 'album_ids', 'media_tags'] }) {
  @Text({
    computed: true,
    min: 1,
    max: 8_000,
    about: 'Address of the file, starting with https://. Addresses in private networks are refused.',
    format: 'uri',
    example: 'https://example.com/harbour.jpg',
  })
  source_url!: string;
}

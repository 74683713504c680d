import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Forms } from '@atrium/forms';
import { CONTENT_FIELD_TYPES } from '../../content/application/field-types/content-field-types';

/** The field types that content schemas have besides those of the form language. */
@Injectable()
export class ContentTypes implements OnModuleInit {
  constructor(private readonly forms: Forms) {}

  onModuleInit(): void {
    for (const type of CONTENT_FIELD_TYPES) this.forms.registerType('content', type);
  }
}

import { Choice, Flag, Nested, NestedList, Ref, Text } from '@atrium/platform/database';
import { Accepts, Answer } from '@atrium/platform/http';

@Accepts()
export class AskedResource {
  @Text({ min: 1, max: 64, about: 'Kind of the resource.', example: 'album' }) type!: string;
  @Ref({ about: 'Its id.' }) id!: string;
}

/** Who wants to do what. */
@Accepts()
export class AskAccess {
  @Ref({ omittable: true, about: 'User whose access is explained; alternatively name a key.' }) user_id?: string;
  @Ref({ omittable: true, about: 'API key whose access is explained; alternatively name a user.' }) key_id?: string;
  @Text({
    omittable: true,
    min: 1,
    max: 128,
    about: 'operationId of the operation; alternatively name a permission.',
    example: 'updateAlbum',
  })
  operation?: string;
  @Text({ omittable: true, min: 1, max: 64, about: 'Permission to explain; alternatively name an operation.', example: 'media:edit' })
  permission?: string;
  @Nested(() => AskedResource, { omittable: true, about: 'Resource whose access list is evaluated too.' })
  resource?: AskedResource;
}

@Answer()
export class AccessStepView {
  @Choice(['tenant', 'status', 'mfa', 'ip', 'license', 'permission', 'acl'], { about: 'Check that decided or was passed.' }) step!: string;
  @Flag({ about: 'Whether it let the request pass.' }) passed!: boolean;
  @Text({ max: 5_000, about: 'Why, naming the role, scope, licence or entry that decided.', example: 'The role Editor gives media:edit.' })
  because!: string;
}

@Answer()
export class AccessExplanationView {
  @Flag({ about: 'Whether the request would be let through.' }) allowed!: boolean;
  @NestedList(() => AccessStepView, { about: 'The decisions in their order, up to the one that refuses.' }) steps!: AccessStepView[];
}

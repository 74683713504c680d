import { Choice, Flag, Nested, NestedList, Ref, Text } from '@atrium/platform/database';
import { Accepts, Answer } from '@atrium/platform/http';

@Accepts()
export class AskedResource {
  @Text({ min: 1, max: 64, about: 'Kind of the resource.', example: 'album' }) type!: string;
  @Ref({ about: 'Id of the resource.' }) id!: string;
}

/** Who wants to do what. */
@Accepts()
export class AskAccess {
  @Ref({ omittable: true, about: 'User whose access is explained. Send either this or `key_id`.' }) user_id?: string;
  @Ref({ omittable: true, about: 'API key whose access is explained. Send either this or `user_id`.' }) key_id?: string;
  @Text({
    omittable: true,
    min: 1,
    max: 128,
    about: '`operationId` of the operation. Send either this or `permission`.',
    example: 'updateAlbum',
  })
  operation?: string;
  @Text({ omittable: true, min: 1, max: 64, about: 'Permission to explain. Send either this or `operation`.', example: 'media:edit' })
  permission?: string;
  @Nested(() => AskedResource, { omittable: true, about: 'Resource whose access list is evaluated as well.' })
  resource?: AskedResource;
}

@Answer()
export class AccessStepView {
  @Choice(['tenant', 'status', 'mfa', 'ip', 'license', 'permission', 'acl'], { about: 'Check that was evaluated.' }) step!: string;
  @Flag({ about: 'Whether the check passed.' }) passed!: boolean;
  @Text({
    max: 5_000,
    about: 'Reason, naming the role, scope, licence or entry that decided.',
    example: 'The role Editor gives media:edit.',
  })
  because!: string;
}

@Answer()
export class AccessExplanationView {
  @Flag({ about: 'Whether the request would be allowed.' }) allowed!: boolean;
  @NestedList(() => AccessStepView, { about: 'Checks in the order of evaluation, up to the first that refuses.' }) steps!: AccessStepView[];
}

import { Ref, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { ApiKey } from '../domain/key';

const OWN_FACTS = ['key_scopes', 'key_ip_allow', 'key_expires_at'] as const;

/** Whom a key acts as. */
@Accepts()
class KeyOwnerChoice {
  @Ref({ omittable: true, about: 'User of kind service or extension. Default: you.' }) key_user?: string;
}

export class CreateKey extends Body(ApiKey, { required: ['key_name'], optional: [...OWN_FACTS, 'key_rate_limit'], with: KeyOwnerChoice }) {}

export class CreateOwnKey extends Body(ApiKey, { required: ['key_name'], optional: OWN_FACTS }) {}

export class ChangeKey extends Body(ApiKey, { optional: ['key_name', ...OWN_FACTS, 'key_rate_limit'] }) {}

export class ChangeOwnKey extends Body(ApiKey, { optional: ['key_name', ...OWN_FACTS] }) {}

/** How long the former secret stays good. */
@Accepts()
export class RotateKey {
  @Whole({
    omittable: true,
    min: 0,
    max: 604_800,
    about: 'Seconds during which the previous secret remains valid. Default: 0.',
    example: 3_600,
  })
  overlap_seconds?: number;
}

export class ListKeys extends ListQuery(ApiKey) {
  key_status?: string;
  unused_days?: number;
}
acceptParameter(ListKeys, {
  name: 'unused_days',
  kind: 'whole',
  min: 1,
  max: 3_650,
  about: 'Only keys that have not been used for this many days, counted from their creation if they were never used.',
  example: 90,
});

export class ListOwnKeys extends ListQuery(ApiKey, {
  without: ['key_prefix', 'key_user', 'key_extension', 'key_created', 'key_last_used_at'],
}) {
  key_status?: string;
}

@Answer()
export class KeyView extends View(ApiKey) {}

export class KeyPage extends PageOf(KeyView) {}

@Answer()
export class KeyWithSecretView extends KeyView {
  @Text({ max: 66, about: 'The complete key, for `X-Api-Key`. It is returned only in this response.', example: 'atk_0a1B2c3D4e5F_…' })
  key_secret!: string;
}

/** Strings that may be keys. */
@Accepts()
export class LeakReport {
  @TextList({ secret: true, min: 0, max: 100, about: 'Complete keys as they were found.', example: ['atk_0a1B2c3D4e5F_…'] })
  keys!: string[];
}

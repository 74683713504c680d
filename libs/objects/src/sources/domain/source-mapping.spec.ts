import { Clock, Ids, type JsonObject } from '@atrium/platform/kernel';
import { Forms } from '@atrium/forms';

import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { sql, type Sql } from '@atrium/platform/database';
import { ApprovalSubjects } from './approval-subjects';

/** Conditions on rows `r` of requests and decisions: the reader may see what they are about. */
@Injectable()
export class ApprovalReaders {
  constructor(private readonly subjects: ApprovalSubjects) {}

  requestCondition(reader: Principal | null): Sql {
    return this.subjects.readableCondition(reader, { type: sql`r.car_subject_type`, id: sql`r.car_subject_id` });
  }

  decisionCondition(reader: Principal | null): Sql {
    const isReadable = this.subjects.readableCondition(reader, { type: sql`asked.car_subject_type`, id: sql`asked.car_subject_id` });
    return sql`EXISTS (SELECT FROM approval_request asked WHERE asked.tenant_id = r.tenant_id AND asked.car_id = r.cad_request AND ${isReadable})`;
  }
}

import { Injectable } from '@nestjs/common';
import { Tabular } from '@atrium/platform/tabular';
import { JobFaultRows } from '../../work/infrastructure/job-faults.rows';
import { JobObjects } from '../../work/infrastructure/job-objects';

/** The rows of an import that were not taken, as a table. */
@Injectable()
export class ImportReports {
  constructor(
    private readonly faults: JobFaultRows,
    private readonly objects: JobObjects,
  ) {}

  /** A CSV with column and reason of each; null where there are none. */
  async store(job_id: string): Promise<string | null> {
    const first = await this.faults.of(job_id).next();
    if (first.done === true) return null;
    const { faults } = this;
    async function* rows(): AsyncGenerator<(string | number)[]> {
      yield ['row', 'column', 'code', 'reason'];
      for await (const { fault_row, fault_field, fault_code, fault_reason } of faults.of(job_id))
        yield [fault_row, fault_field, fault_code, fault_reason];
    }
    return (await this.objects.put(job_id, 'report', Tabular.write(rows(), { format: 'csv' }), 'text/csv')).key;
  }
}

import { serveTasks } from '@atrium/platform/processes';
import { inspectFile } from './inspect-file';
import type { Inspection, InspectionTask } from './inspection';

/** The process that files are inspected in, so that hostile or huge content can end this process at most. */
serveTasks<InspectionTask, Inspection>(inspectFile);

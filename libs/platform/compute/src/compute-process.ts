import { serveTasks } from '@atrium/platform/processes';
import { performTask, type ComputeRequest } from './perform-task';

/** The process that foreign text is worked on in, so that hostile or huge input can end this process at most. */
serveTasks((request: ComputeRequest, _report, begin) => performTask(request, begin));

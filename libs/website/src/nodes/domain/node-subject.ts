/** The name of pages among the subjects of approvals. */
export const NODE_SUBJECT = 'node';

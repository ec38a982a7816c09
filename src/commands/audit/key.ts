import { printCommand } from '../../audit-place.ts'

export default printCommand('key', 'Prints the key that verifies checkpoints of the audit log.')

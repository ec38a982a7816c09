import { printCommand } from '../../audit-place.ts'

export default printCommand('checkpoint', 'Prints the last checkpoint of the audit log.')

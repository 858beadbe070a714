import { doctorCommand } from '../src/doctor/command.server.ts'

// What hangs would keep the process; everything has been said by then.
process.exit(await doctorCommand({ environment: process.env, out: process.stdout }))

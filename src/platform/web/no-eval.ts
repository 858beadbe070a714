import { config } from 'zod'

// Our content security policy forbids generating code. zod tries to, since compiled validators are faster; this setting disables it.
config({ jitless: true })

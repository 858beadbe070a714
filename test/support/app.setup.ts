import { afterAll } from 'vitest'

import { stopApps } from './app.ts'

afterAll(stopApps)

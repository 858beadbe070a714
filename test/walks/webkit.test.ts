import { defineWalks } from './walks.ts'

defineWalks('WebKit', 1280)

import { defineWalks } from './walks.ts'

defineWalks('Firefox', 1280)

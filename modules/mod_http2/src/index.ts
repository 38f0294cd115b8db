import type { Module } from '@gatewright/api'
import { http2Module } from './http2-module.ts'
import type { SectionConfig, ServerConfig } from './settings.ts'

const http2: Module<SectionConfig, ServerConfig> = http2Module()
export default http2

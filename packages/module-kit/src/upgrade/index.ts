export { API_CHANGES, type ApiChange, FORMER_PACKAGE } from './changes.ts'
export { type PointedDiagnostic, pointDiagnostics } from './pointers.ts'
export { diagnosticLines, upgradeReport } from './report.ts'
export { type UpgradedFile, type UpgradeOptions, type UpgradeResult, upgradeSources } from './upgrade.ts'

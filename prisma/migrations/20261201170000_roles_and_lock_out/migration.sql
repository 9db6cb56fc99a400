-- Roles dba and auditor, lock-out of accounts, and what lists of log-ins show.
ALTER TABLE "User" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "User" ADD COLUMN "lastLoginAt" DATETIME;
ALTER TABLE "User" ADD COLUMN "lastLoginFrom" TEXT NOT NULL DEFAULT '';
ALTER TABLE "User" ADD COLUMN "failedLogins" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "User" ADD COLUMN "failedSince" DATETIME;
ALTER TABLE "User" ADD COLUMN "failedAt" DATETIME;
ALTER TABLE "User" ADD COLUMN "failedFrom" TEXT NOT NULL DEFAULT '';
ALTER TABLE "User" ADD COLUMN "lockedUntil" DATETIME;
ALTER TABLE "Session" ADD COLUMN "origin" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Session" ADD COLUMN "agent" TEXT NOT NULL DEFAULT '';

-- Operators change no parameters any more: whoever could goes on.
UPDATE "User" SET "role" = 'dba' WHERE "role" = 'operator';

#!/bin/sh
# Run once by the database image in its new cluster: one role owns the tables and migrates, another runs the product.
# The second cannot lift a trigger, truncate or drop, so the trail's rules hold against it.
set -eu
psql -v ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname "$POSTGRES_DB" \
    -v owner_password="$(cat "${OWNER_PASSWORD_FILE:-/run/secrets/owner_password}")" \
    -v app_password="$(cat "${APP_PASSWORD_FILE:-/run/secrets/app_password}")" \
    -v database="$POSTGRES_DB" <<'SQL'
CREATE ROLE wenshu_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE wenshu_app LOGIN PASSWORD :'app_password';
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"database" TO wenshu_owner, wenshu_app;
ALTER SCHEMA public OWNER TO wenshu_owner;
GRANT USAGE ON SCHEMA public TO wenshu_app;
ALTER DEFAULT PRIVILEGES FOR ROLE wenshu_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO wenshu_app;
ALTER DEFAULT PRIVILEGES FOR ROLE wenshu_owner IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO wenshu_app;
SQL

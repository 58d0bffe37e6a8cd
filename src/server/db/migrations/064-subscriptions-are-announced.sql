-- Pages of a company show its subscription: they refetch as after a change of rights.
CREATE TRIGGER company_subscriptions_rights AFTER INSERT OR UPDATE OR DELETE ON company_subscriptions
  FOR EACH ROW EXECUTE FUNCTION announce_rights('company_id');
